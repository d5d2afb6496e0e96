import type { ListenAddress } from "#core/dsn.ts";

const everyAddress = new Set<string | null>([null, "", "0.0.0.0", "::"]);

/** The URL of a local listener, as reached from this machine. */
export function localAddress({ host, port }: ListenAddress): string {
  if (host === null || everyAddress.has(host)) return `http://127.0.0.1:${port}`;
  return host.includes(":") ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}
