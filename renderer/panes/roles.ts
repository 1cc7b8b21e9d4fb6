/** Roles that are too long for their column. */
export const ROLE: Readonly<Record<string, string>> = {
  assistant: 'asst',
  system: 'sys',
  attachment: 'att',
};
