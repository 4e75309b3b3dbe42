// The version of everything that is printed or saved for programs. A change of the meaning of a field is a new one, and an entry of the changelog.
export const apiVersion = 'jobctl/v1';
