// LIST: pages of one moment, joined by tokens of the same form as the real server's, in full or as metadata.
import { type Answer, badRequest, failure, json } from './answer.ts';
import type { ServedKind } from './kinds.ts';
import { fieldMatcher, labelMatcher } from './selectors.ts';
import type { Store, Stored } from './store.ts';
import { isMetadataOnly, written } from './written.ts';

export interface ListRequest {
  readonly kind: ServedKind;
  readonly namespace: string | undefined;
  readonly query: Readonly<Record<string, string>>;
  readonly accept: string;
}

interface Token {
  readonly rv: number;
  /** The key of the last object that was given, and a zero byte: the list goes on after it. */
  readonly start: string;
}

const write = (token: Token): string =>
  Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', ...token })).toString('base64url');

function read(text: string): Token | undefined {
  try {
    const token = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Token;
    return typeof token.start === 'string' ? token : undefined;
  } catch {
    return undefined;
  }
}

const keyOf = ({ object: { metadata } }: Stored): string => `${metadata.namespace ?? ''}/${metadata.name}\0`;

/** Source: staging/src/k8s.io/apiserver/pkg/storage/etcd3/errors.go, handleExpiredContinue. rv -1: go on at whatever is newest. */
export function expired(continueText: string): Answer {
  const token = read(continueText);
  return failure({
    status: 410,
    reason: 'Expired',
    message:
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    metadata: token === undefined ? {} : { continue: write({ rv: -1, start: token.start }) },
  });
}

export class Lists {
  readonly #store: Store;
  /** One moment of one list, by resourceVersion and what was asked. */
  readonly #moments = new Map<string, readonly Stored[]>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Every token given so far is answered with 410 from now on, as after a compaction of etcd. */
  expireTokens(): void {
    this.#moments.clear();
  }

  answer(request: ListRequest): Answer {
    const { query } = request;
    const text = query['continue'];
    if (text === undefined || text === '')
      return this.#page(request, { rv: this.#store.version, start: '' }, this.#find(request));
    const token = read(text);
    if (token === undefined) return badRequest('invalid continue token: continue key is not valid');
    const isInconsistent = token.rv === -1;
    const items = isInconsistent ? this.#find(request) : this.#moments.get(momentKey(request, token.rv));
    if (items === undefined) return expired(text);
    return this.#page(request, isInconsistent ? { ...token, rv: this.#store.version } : token, items);
  }

  #find({ kind, namespace, query }: ListRequest): readonly Stored[] | Error {
    try {
      const byLabel = labelMatcher(query['labelSelector'] ?? '');
      const byField = fieldMatcher(query['fieldSelector'] ?? '', kind.kind);
      return this.#store.list(kind, namespace).filter(({ object }) => byLabel(object) && byField(object));
    } catch (problem) {
      return problem as Error;
    }
  }

  #page(request: ListRequest, token: Token, items: readonly Stored[] | Error): Answer {
    if (items instanceof Error) return badRequest(items.message);
    const limit = Number(request.query['limit'] ?? 0);
    const from = token.start === '' ? 0 : items.findIndex(item => keyOf(item) > token.start);
    const rest = from === -1 ? [] : items.slice(from);
    const page = limit > 0 ? rest.slice(0, limit) : rest;
    const last = page.at(-1);
    const more = rest.length > page.length && last !== undefined;
    if (more) this.#moments.set(momentKey(request, token.rv), items);
    const isFiltered = Boolean(request.query['labelSelector'] || request.query['fieldSelector']);
    const metadata = {
      resourceVersion: String(token.rv),
      ...(more ? { continue: write({ rv: token.rv, start: keyOf(last) }) } : {}),
      // counted only where no selector makes counting dear
      ...(more && !isFiltered ? { remainingItemCount: rest.length - page.length } : {}),
    };
    return json(200, {
      ...headOf(request),
      metadata,
      items: page.map(item => written(item, request.accept, 'item')),
    });
  }
}

function headOf({ kind, accept }: ListRequest) {
  if (isMetadataOnly(accept)) return { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' };
  return {
    kind: `${kind.kind}List`,
    apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}`,
  };
}

const momentKey = ({ kind, namespace, query }: ListRequest, rv: number): string =>
  JSON.stringify([rv, kind.group, kind.resource, namespace, query['labelSelector'], query['fieldSelector']]);
