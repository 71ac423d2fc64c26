"""Who publishes, and when: what the format asks for and no row says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from benchdata.errors import BenchdataError, printable


@dataclass(frozen=True, slots=True)
class Publisher:
    """Who ran the evaluation.

    `relationship` is what they are to the makers of the models, in the format's words. `developer`
    makes the models whose id does not say it. `as_of` is the ISO date of the record.
    """

    organization: str
    relationship: str
    developer: str
    as_of: str

    def __post_init__(self) -> None:
        """Refuse an organization without a name, and a developer that no folder can be called."""
        if not self.organization.strip() or printable(self.organization) != self.organization:
            raise BenchdataError("--organization: write the name on one line, without controls")
        if self.developer and not self.developer.replace("-", "").replace("_", "").isalnum():
            raise BenchdataError("--developer: write letters, digits, - and _ alone")

    @property
    def timestamp(self) -> str:
        """Return the start of the day in seconds of Unix time."""
        return str(int(datetime.fromisoformat(self.as_of).replace(tzinfo=UTC).timestamp()))

    def model_id(self, model: str) -> str:
        """Return a model's id with who makes it before it.

        Raises:
            BenchdataError: Neither the id nor the publisher says who makes it.
        """
        if "/" in model:
            return model
        if not self.developer:
            raise BenchdataError(
                f"model {model}: its id does not say who makes it; name them with --developer"
            )
        return f"{self.developer}/{model}"
