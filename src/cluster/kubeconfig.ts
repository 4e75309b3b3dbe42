// Which cluster, user and namespace: kubectl's own merge rules over the files, before the client library sees any of it.
// Source: k8s.io/client-go/tools/clientcmd (loader.go, client_config.go). The library throws on what kubectl merges.
import { readFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { parse } from 'yaml';
import { clusterError, usageError } from '../errors.ts';
import type { ConnectionOptions } from '../model/connection.ts';
import { given } from '../model/given.ts';
import { type Fields, fieldsOf, listOf, textOf } from './adapt-meta.ts';

/** The chosen entries, their paths made absolute. What is not chosen is never looked at, so it cannot hurt. */
export interface Chosen {
  readonly context?: string;
  readonly namespace?: string;
  readonly cluster: Fields;
  readonly clusterName: string;
  readonly user: Fields;
  readonly userName: string;
}

interface Merged {
  readonly clusters: Map<string, Fields>;
  readonly users: Map<string, Fields>;
  readonly contexts: Map<string, Fields>;
  currentContext: string | undefined;
}

/** Undefined where no file says anything: then a Pod's service account, or localhost, is next. */
export function chooseFromKubeconfig(
  options: ConnectionOptions,
  env: Readonly<Record<string, string | undefined>>,
): Chosen | undefined {
  const merged = readAll(filesOf(options, env), options.kubeconfig !== undefined);
  const isEmpty =
    merged.clusters.size + merged.users.size + merged.contexts.size === 0 &&
    merged.currentContext === undefined;
  if (isEmpty && options.context === undefined && options.server === undefined) return undefined;
  const contextName = options.context ?? merged.currentContext;
  const context = contextName === undefined ? undefined : merged.contexts.get(contextName);
  if (options.context !== undefined && context === undefined)
    throw clusterError(`error: context "${options.context}" does not exist`);
  // not localhost:8080: what answers there is some other cluster than the file meant
  if (contextName !== undefined && context === undefined)
    throw clusterError(`Error in configuration: context was not found for specified context: ${contextName}`);
  const clusterName = options.cluster ?? textOf(context?.['cluster']);
  const userName = options.user ?? textOf(context?.['user']);
  const cluster = entry(merged.clusters, clusterName, 'cluster', options.server !== undefined);
  const user = entry(merged.users, userName, 'auth info', false);
  return {
    ...given({ context: contextName, namespace: textOf(context?.['namespace']) }),
    cluster,
    clusterName: clusterName ?? '',
    user,
    userName: userName ?? '',
  };
}

/** The names that the files have, for completion; none of them is looked into. */
export function entriesOf(
  options: ConnectionOptions,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<'contexts' | 'clusters' | 'users', readonly string[]>> {
  const { contexts, clusters, users } = readAll(filesOf(options, env), options.kubeconfig !== undefined);
  return { contexts: [...contexts.keys()], clusters: [...clusters.keys()], users: [...users.keys()] };
}

function entry(
  entries: Map<string, Fields>,
  name: string | undefined,
  what: string,
  isOptional: boolean,
): Fields {
  if (name === undefined || name === '') return {};
  const found = entries.get(name);
  if (found === undefined && !isOptional) throw clusterError(`error: ${what} "${name}" does not exist`);
  return found ?? {};
}

function filesOf(options: ConnectionOptions, env: Readonly<Record<string, string | undefined>>): string[] {
  if (options.kubeconfig !== undefined) return [options.kubeconfig];
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter(file => file !== '');
  if (listed.length > 0) return [...new Set(listed)];
  const home = env['HOME'] ?? env['USERPROFILE'];
  return home === undefined ? [] : [join(home, '.kube', 'config')];
}

/** The first definition of a name wins, and the first current-context. A file that is not there is skipped, unless it was asked for by name. */
function readAll(files: readonly string[], isNamed: boolean): Merged {
  const merged: Merged = {
    clusters: new Map(),
    users: new Map(),
    contexts: new Map(),
    currentContext: undefined,
  };
  for (const file of files) {
    const config = readOne(file, isNamed);
    const dir = dirname(file);
    addAll(merged.clusters, config['clusters'], 'cluster', dir);
    addAll(merged.users, config['users'], 'user', dir);
    addAll(merged.contexts, config['contexts'], 'context', dir);
    merged.currentContext ??= textOf(config['current-context']);
  }
  return merged;
}

function readOne(file: string, isNamed: boolean): Fields {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (problem) {
    const code = problem instanceof Error && 'code' in problem ? problem.code : '';
    if (code === 'ENOENT' && !isNamed) return {};
    throw usageError(
      code === 'ENOENT' ? `stat ${file}: no such file or directory` : `${file}: ${String(code)}`,
    );
  }
  try {
    return fieldsOf(parse(text));
  } catch (problem) {
    const message = problem instanceof Error ? (problem.message.split('\n')[0] ?? '') : '';
    throw clusterError(`error: error loading config file "${file}": ${message}`);
  }
}

const paths = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

function addAll(into: Map<string, Fields>, list: unknown, what: string, dir: string): void {
  for (const item of listOf(list).map(fieldsOf)) {
    const name = textOf(item['name']);
    if (name === undefined || into.has(name)) continue;
    const value = Object.entries(fieldsOf(item[what])).map(([key, field]) => [
      key,
      absolute(key, field, dir),
    ]);
    into.set(name, Object.fromEntries(value));
  }
}

/** Paths are relative to the file that says them; a plugin's command only where it is a path, not a name to look up. */
function absolute(key: string, field: unknown, dir: string): unknown {
  const command = key === 'exec' ? textOf(fieldsOf(field)['command']) : undefined;
  if (command !== undefined && /[\\/]/.test(command) && !isAbsolute(command))
    return { ...fieldsOf(field), command: join(dir, command) };
  const isPath = paths.includes(key) && typeof field === 'string' && field !== '' && !isAbsolute(field);
  return isPath ? join(dir, field) : field;
}
