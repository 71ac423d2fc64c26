// Runs before every script of every frame: luck is the same each time, and nothing waits for a person.
(() => {
    let state = 1;
    const next = () => {  // mulberry32
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return (mixed ^ (mixed >>> 14)) >>> 0;
    };
    Math.random = () => next() / 4294967296;
    Crypto.prototype.getRandomValues = (array) => {
        new Uint8Array(array.buffer, array.byteOffset, array.byteLength).forEach((_, place, bytes) => {
            bytes[place] = next() & 255;
        });
        return array;
    };
    Crypto.prototype.randomUUID = () => {
        const digits = Array.from({length: 4}, () => next().toString(16).padStart(8, "0")).join("");
        return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
    };
    const attach = Element.prototype.attachShadow;
    const roots = [document];  // of all trees: what is shut away could not be brought to rest
    Element.prototype.attachShadow = function (options) {
        const root = attach.call(this, {...options, mode: "open"});
        roots.push(root);
        return root;
    };
    Object.defineProperty(window, "__roots", {value: roots});
    for (const name of ["debug", "error", "info", "log", "warn"]) {  // too many would use up the time
        const real = console[name].bind(console);
        let left = 100;
        console[name] = (...words) => { if (left-- > 0) real(...words); };
    }
    const refused = (name, answer) => (words = "") => {
        console.warn(`refused ${name}: ${words}`);
        return answer;
    };
    Object.assign(window, {
        alert: refused("alert"),
        confirm: refused("confirm", false),
        prompt: refused("prompt", null),
        print: refused("print"),
        open: refused("open", null),
    });
    const frame = window.requestAnimationFrame.bind(window);
    Object.defineProperty(window, "__frame", {value: frame});  // the real one: clocks replace it
})();
