// What the apiserver writes down: every request by its metadata, every write with its body, so that a test can read the
// DeleteOptions that really arrived.
import { stringify } from 'yaml';

export const auditPolicy: string = stringify({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  // One event a request, when its answer is known.
  omitStages: ['RequestReceived', 'ResponseStarted'],
  omitManagedFields: true,
  rules: [
    // Leader election and node heartbeats: hundreds a minute that no test asks about.
    { level: 'None', resources: [{ group: 'coordination.k8s.io' }] },
    { level: 'Request', verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'] },
    { level: 'Metadata' },
  ],
});
