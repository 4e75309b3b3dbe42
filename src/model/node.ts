// A node as far as this tool asks about it: whether its kubelet reports.

/** What a read of one node answers. */
type NodeRead =
  | { readonly state: 'read'; readonly value: { readonly ready: boolean } }
  | { readonly state: 'absent' | 'unreadable' };

/** It is gone, or does not report. One that cannot be read is not known to be silent. */
export const isSilent = (node: NodeRead): boolean =>
  node.state === 'absent' || (node.state === 'read' && !node.value.ready);
