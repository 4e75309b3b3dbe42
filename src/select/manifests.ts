// Objects that -f names: kind, name and namespace of each document; nothing else of a manifest matters for a delete.
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { clusterError, usageError } from '../errors.ts';

export interface Named {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

const manifestEndings = new Set(['.yaml', '.yml', '.json']);

/** `-` is standard input, given by `readStdin`. Throws with the file's name when a document names no object. */
export async function readManifests(
  files: readonly string[],
  recursive: boolean,
  readStdin: () => Promise<string>,
): Promise<Named[]> {
  const named: Named[] = [];
  for (const file of files) {
    if (/^https?:/.test(file)) throw usageError(`-f ${file}: addresses are not read; fetch the file first`);
    if (file === '-') named.push(...parse(await readStdin(), 'standard input'));
    else for (const path of await pathsOf(file, recursive)) named.push(...parse(await readText(path), path));
  }
  if (named.length === 0) throw usageError('no objects passed to delete: the files of -f name none');
  return named;
}

async function pathsOf(file: string, recursive: boolean): Promise<string[]> {
  if (!(await kindOf(file)).isDirectory()) return [file];
  const entries = await readdir(file, { withFileTypes: true });
  const inside = entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(async entry => {
      const path = join(file, entry.name);
      if (entry.isDirectory()) return recursive ? await pathsOf(path, true) : [];
      return manifestEndings.has(extname(entry.name)) ? [path] : [];
    });
  return (await Promise.all(inside)).flat();
}

async function kindOf(file: string) {
  try {
    return await stat(file);
  } catch {
    throw clusterError(`error: the path "${file}" does not exist`);
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (problem) {
    throw clusterError(`error: ${path}: ${problem instanceof Error ? problem.message : String(problem)}`);
  }
}

function parse(text: string, from: string): Named[] {
  return parseAllDocuments(text).flatMap(document => {
    const [problem] = document.errors;
    if (problem !== undefined) throw usageError(`${from}: ${problem.message.split('\n')[0]}`);
    return toNamed(document.toJS(), from);
  });
}

function toNamed(value: unknown, from: string): Named[] {
  if (value === null || value === undefined) return [];
  const { apiVersion, kind, metadata, items } = value as Record<string, unknown>;
  if (Array.isArray(items)) return items.flatMap(item => toNamed(item, from));
  const { name, namespace } = (metadata ?? {}) as Record<string, unknown>;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string')
    throw usageError(`${from}: a document has no apiVersion or no kind`);
  if (typeof name !== 'string') throw usageError(`${from}: a ${kind} has no metadata.name`);
  return [{ apiVersion, kind, name, ...(typeof namespace === 'string' ? { namespace } : {}) }];
}
