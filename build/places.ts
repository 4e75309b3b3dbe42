// Where things are read from and written to.
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');

/** Everything that a release consists of. */
export const dist = join(root, 'dist');

/** What a second run may use again: the Node packages. */
export const downloads = join(root, '.cache', 'package', 'downloads');

/** What one run makes on its way. */
export const scratch = join(root, '.cache', 'package', 'scratch');
