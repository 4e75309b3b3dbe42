// What of the libraries the program cannot reach, or pays for at each start: esbuild is led past it.
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';
import { root } from './places.ts';

const standIn = (file: string): string => join(import.meta.dirname, 'stand-ins', file);

export const lessOfLibraries: Plugin = {
  name: 'less-of-libraries',
  setup({ onResolve }) {
    onResolve({ filter: /\/platform-shims\/esm\.mjs$/ }, () => ({ path: standIn('yargs-platform.ts') }));
    // src/confirm/prompt.ts asks with three of inquirer's prompts; the editor brings tables of all encodings
    onResolve({ filter: /^@inquirer\/editor$/ }, () => ({ path: standIn('no-editor.ts') }));
    // src/cluster/library-login.ts wants KubeConfig alone: of 5 MB that is a twentieth
    onResolve({ filter: /^@kubernetes\/client-node$/ }, () => ({
      path: join(root, 'node_modules/@kubernetes/client-node/dist/config.js'),
    }));
    // its package.json does not say what is so: a module that nobody imports from does nothing when it is loaded
    onResolve({ filter: /^\.{1,2}\// }, ({ path, importer, resolveDir }) =>
      dirname(importer).includes('/@kubernetes/client-node/dist')
        ? { path: join(resolveDir, path), sideEffects: false }
        : undefined,
    );
  },
};
