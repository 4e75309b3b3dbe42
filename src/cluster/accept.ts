// What an answer is to be: whole objects, or their metadata alone, which is small and enough for most questions.
// Source: kubernetes.io/docs/reference/using-api/api-concepts, "Metadata-only fetches"; a server that cannot falls back to the whole.

export const inFull = 'application/json';
export const metadataList =
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';
export const metadataOnly = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';
