// Ends what moves by itself, and waits until that is drawn.
(seconds) => {
    const roots = window.__roots;
    const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
    for (const animation of roots.flatMap((root) => root.getAnimations())) {
        try { animation.finish(); } catch { /* it has no end */ }
    }
    for (const drawing of all("svg")) {
        drawing.pauseAnimations();
        drawing.setCurrentTime(seconds);
    }
    for (const bar of all("progress:indeterminate")) {
        bar.value = bar.max / 2;  // it moves by no clock that can be stopped
    }
    for (const media of all("audio, video")) {
        media.autoplay = false;
        media.pause();
        if (media.currentTime) media.currentTime = 0;
    }
    return new Promise((done) => window.__frame(() => window.__frame(() => done(true))));
}
