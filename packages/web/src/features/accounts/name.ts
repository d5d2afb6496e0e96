/** What an account is called: its user name, or its game licence before somebody registers. */
export const nameOf = ({ username, licence }: { readonly username: string | null; readonly licence: string }): string =>
  username ?? licence;
