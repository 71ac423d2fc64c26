// Ends what moves by itself, and waits until that is drawn.
(seconds) => {
    for (const animation of document.getAnimations()) {
        try { animation.finish(); } catch { /* it has no end */ }
    }
    for (const drawing of document.querySelectorAll("svg")) {
        drawing.pauseAnimations();
        drawing.setCurrentTime(seconds);
    }
    for (const media of document.querySelectorAll("audio, video")) {
        media.autoplay = false;
        media.pause();
        if (media.currentTime) media.currentTime = 0;
    }
    return new Promise((done) => window.__frame(() => window.__frame(() => done(true))));
}
