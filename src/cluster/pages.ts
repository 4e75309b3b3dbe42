// Paged lists: each page is turned into small records before the next one is asked for, so that memory stays flat.
// A list is given whole or not at all: a rule that needs all of something must never see a part.

import type { Problem } from '../model/problem.ts';
import { plain } from '../model/ref.ts';
import { fieldsOf, listOf, textOf } from './adapt-meta.ts';
import type { ListQuery, Read } from './contract.ts';
import { withQuery } from './path.ts';
import { problemOfAnswer } from './problem.ts';
import type { Transport } from './transport.ts';

const pageSize = 500;
const mostRestarts = 3;

export interface Listing<T> {
  readonly path: string;
  readonly accept: string;
  readonly query: ListQuery;
  /** One item to its record; undefined drops it. Throws on what is no object. */
  readonly adapt: (item: unknown) => T | undefined;
}

type Page =
  | { readonly is: 'page'; readonly items: readonly unknown[]; readonly next: string | undefined }
  /** 410: the token is too old; the server may offer one that goes on at a newer moment. */
  | { readonly is: 'expired'; readonly inconsistent: string | undefined; readonly problem: Problem }
  | { readonly is: 'absent' }
  | { readonly is: 'problem'; readonly problem: Problem };

export async function listAll<T>(transport: Transport, listing: Listing<T>): Promise<Read<T[]>> {
  const list = { records: [] as T[], restarts: 0, expiredInARow: 0 };
  let token: string | undefined;
  for (;;) {
    const page = await readPage(transport, listing, token);
    const next = page.is === 'expired' ? afterExpiry(page, listing, list) : afterPage(page, listing, list);
    if ('end' in next) return next.end;
    if (page.is === 'page' && next.token === token) return { state: 'unreadable', problem: noEnd };
    token = next.token;
  }
}

interface Gathering<T> {
  records: T[];
  restarts: number;
  expiredInARow: number;
}

/** The same page again and again, as a cache in between would give it. */
const noEnd = malformed(new Error('the list does not go on'));

type Next<T> = { readonly token: string | undefined } | { readonly end: Read<T[]> };

function afterPage<T>(
  page: Exclude<Page, { is: 'expired' }>,
  listing: Listing<T>,
  list: Gathering<T>,
): Next<T> {
  if (page.is === 'absent') return { end: { state: 'absent' } };
  const problem = page.is === 'problem' ? page.problem : addRecords(page.items, listing.adapt, list.records);
  if (problem !== undefined) return { end: { state: 'unreadable', problem } };
  list.expiredInARow = 0;
  const token = page.is === 'page' ? page.next : undefined;
  return token === undefined ? { end: { state: 'read', value: list.records } } : { token };
}

function afterExpiry<T>(
  page: Extract<Page, { is: 'expired' }>,
  listing: Listing<T>,
  list: Gathering<T>,
): Next<T> {
  list.expiredInARow += 1;
  const isOver = list.restarts >= mostRestarts || list.expiredInARow > mostRestarts;
  if (!isOver && listing.query.consistent === false && page.inconsistent !== undefined)
    return { token: page.inconsistent };
  if (isOver) return { end: { state: 'unreadable', problem: page.problem } };
  list.restarts += 1;
  list.records = [];
  return { token: undefined };
}

function addRecords<T>(
  items: readonly unknown[],
  adapt: Listing<T>['adapt'],
  records: T[],
): Problem | undefined {
  try {
    for (const item of items) {
      const record = adapt(item);
      if (record !== undefined) records.push(record);
    }
    return undefined;
  } catch (problem) {
    return malformed(problem);
  }
}

async function readPage<T>(
  transport: Transport,
  { path, accept, query }: Listing<T>,
  token: string | undefined,
): Promise<Page> {
  const sent = await transport.send({
    method: 'GET',
    path: withQuery(path, {
      limit: String(pageSize),
      continue: token,
      labelSelector: query.labelSelector,
      fieldSelector: query.fieldSelector,
    }),
    accept,
    repeatable: true,
    unasked: query.unasked === true,
  });
  if ('problem' in sent) return { is: 'problem', problem: sent.problem };
  const { status, body } = sent.answer;
  if (status === 200) return parsePage(body);
  const problem = problemOfAnswer(status, body);
  if (status === 410) return { is: 'expired', inconsistent: continueToken(body), problem };
  return problem.code === 'not-served' ? { is: 'absent' } : { is: 'problem', problem };
}

function parsePage(body: string): Page {
  try {
    const list = fieldsOf(JSON.parse(body));
    // null items are none; but what is no list must not be taken for an empty one, because an owner that is not listed is gone
    if (!Array.isArray(list['items']) && !textOf(list['kind'])?.endsWith('List'))
      throw new Error('a list was asked for and something else came');
    return { is: 'page', items: listOf(list['items']), next: textOf(fieldsOf(list['metadata'])['continue']) };
  } catch (problem) {
    return { is: 'problem', problem: malformed(problem) };
  }
}

function continueToken(body: string): string | undefined {
  try {
    return textOf(fieldsOf(fieldsOf(JSON.parse(body))['metadata'])['continue']);
  } catch {
    return undefined;
  }
}

export function malformed(problem: unknown): Problem {
  const message = problem instanceof Error ? problem.message : String(problem);
  return { code: 'server-error', text: plain(`error: the server's answer cannot be read: ${message}`) };
}
