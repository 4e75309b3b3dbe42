// How a stored object is written into an answer: in full, as metadata only, and with its padding.
import { type Fields, fieldsOf, type RawObject } from './object.ts';
import type { Stored } from './store.ts';

/** kubectl asks for a Table too; a server may answer with the object all the same, and the fake does. */
export const isMetadataOnly = (accept: string): boolean => accept.includes('as=PartialObjectMetadata');

export function written({ kind, object, padding }: Stored, accept: string, as: 'object' | 'item'): Fields {
  const { apiVersion, kind: word, ...rest } = object;
  if (isMetadataOnly(accept)) {
    return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
  }
  // items of a built-in list say neither kind nor version; custom resources do
  const head = as === 'item' && !kind.isCustom ? {} : { kind: word, apiVersion };
  return { ...head, ...(padding === 0 ? rest : padded(rest, padding)) };
}

/** In the Pod template, where real Jobs are big; so that lists of metadata stay small, as they are on a server. */
function padded(object: Omit<RawObject, 'apiVersion' | 'kind'>, bytes: number): Fields {
  const template = fieldsOf(object.spec?.['template']);
  const metadata = {
    ...fieldsOf(template['metadata']),
    annotations: { 'example.com/padding': 'x'.repeat(bytes) },
  };
  return { ...object, spec: { ...object.spec, template: { ...template, metadata } } };
}
