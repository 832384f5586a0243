import { test } from 'vitest';

test('waits for something that never happens', () => new Promise(() => {}));
