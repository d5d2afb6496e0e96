/** What the vault binds stored tokens to: `<table>.<column>`. */
export const tokenPurpose = {
  access: "oauth_connections.access_token",
  refresh: "oauth_connections.refresh_token",
} as const;
