// A label selector as objects carry it, and whether labels match it.
// Source: apimachinery pkg/labels/selector.go, Requirement.Matches; an operator that is not known matches, so that nothing is taken for it.

export interface LabelSelector {
  readonly matchLabels: Readonly<Record<string, string>>;
  readonly matchExpressions: readonly LabelRequirement[];
}

interface LabelRequirement {
  readonly key: string;
  /** In, NotIn, Exists, DoesNotExist */
  readonly operator: string;
  readonly values: readonly string[];
}

export type Labels = Readonly<Record<string, string | undefined>>;

/** A selector without requirements matches everything. */
export function matches({ matchLabels, matchExpressions }: LabelSelector, labels: Labels): boolean {
  const isEqual = Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
  return isEqual && matchExpressions.every(requirement => isMet(requirement, labels[requirement.key]));
}

function isMet({ operator, values }: LabelRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return true;
  }
}
