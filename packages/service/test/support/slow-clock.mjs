// Loaded with --import, into worker threads too. The store measures its deadlines with performance.now(). Programs and
// services in tests of something else run with a slow clock, so that a busy machine refuses none of their requests.
const SLOWER = 20;
const now = performance.now.bind(performance);
performance.now = () => now() / SLOWER;
