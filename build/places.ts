// Where things are read from and written to.
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');

/** Everything that a release consists of. */
export const dist = join(root, 'dist');

/** What `npm run package` keeps for itself. */
export const cache = join(root, '.cache', 'package');

/** What a second run may use again: the Node packages. */
export const downloads = join(cache, 'downloads');

/** What one run makes on its way. */
export const scratch = join(cache, 'scratch');
