// Where a command is that a machine has or has not: the first on PATH, as a shell finds it.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export function commandOnPath(name: string): string {
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map(folder => join(folder, name))
    .find(isExecutable);
  if (found === undefined) throw new Error(`${name} is not on PATH, and krew needs it: install ${name}`);
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
