"""A page's elements are found by their test ids, with the text that a reader would see."""

from __future__ import annotations

import pytest

from collectors.build_bench.suites.api import Failed
from collectors.build_bench.suites.markup import Markup

PAGE = """<!doctype html><title>x</title>
<p data-testid="total">  12
 <b>3</b></p>
<table><tbody data-testid="orders">
<tr data-testid="row" data-order-id="a"><td>Lamp &amp; &lt;i&gt;<td>2
<tr data-testid="row" data-order-id="b"><td>Desk</td><td><br>3</td></tr>
</table>
<p data-testid="last">end
"""


def test_text_is_that_of_the_element_and_all_within_it() -> None:
    page = Markup(PAGE)
    assert page.one("total").text == "12 3"
    assert page.one("last").text == "end"
    rows = page.all("row")
    assert [row.attributes["data-order-id"] for row in rows] == ["a", "b"]
    assert rows[0].text.startswith("Lamp & <i>")
    assert rows[1].text.endswith("3")
    assert not any(each.tag == "i" for each in page.elements)


def test_an_element_that_is_not_there_or_is_there_twice_is_told() -> None:
    page = Markup(PAGE)
    with pytest.raises(Failed, match="0 elements with the test id revenue"):
        page.one("revenue")
    with pytest.raises(Failed, match="2 elements with the test id row"):
        page.one("row")
