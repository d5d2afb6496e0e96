import type { FastifyInstance } from "fastify";
import type { ListenAddress } from "#core/dsn.ts";

/** Listening on the address of an option failed; the message is one line for the operator. */
export class ListenRefused extends Error {
  override name = "ListenRefused";
}

function format(address: ListenAddress): string {
  const host = address.host?.includes(":") ? `[${address.host}]` : (address.host ?? "");
  return `${host}:${address.port}`;
}

/** Starts listening and returns the port. Throws `ListenRefused`, which names the option, if the address cannot be used. */
export async function listen(app: FastifyInstance, address: ListenAddress, option: string): Promise<number> {
  try {
    await app.listen({ port: address.port, host: address.host ?? "::", listenTextResolver: () => "" });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "EAFNOSUPPORT" && address.host === null) return await listen(app, { ...address, host: "0.0.0.0" }, option);
    const at = format(address);
    if (code === "EADDRINUSE") {
      const variable = `ROLLCALL_${option.replaceAll(".", "_").toUpperCase()}`;
      const other = format({ ...address, port: address.port === 65_535 ? 1024 : address.port + 1 });
      throw new ListenRefused(
        `${option}: ${at} is in use by another program; stop it, or give this process another port (${variable}=${other} does so beside a file that several processes share)`,
        { cause: error },
      );
    }
    if (code === "EACCES") {
      throw new ListenRefused(`${option}: ${at} requires more privileges; use a port above 1023`, {
        cause: error,
      });
    }
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      throw new ListenRefused(`${option}: ${at} is not an address of this machine; use one that is, or only the port`, {
        cause: error,
      });
    }
    throw error;
  }
  const bound = app.server.address();
  return bound !== null && typeof bound === "object" ? bound.port : address.port;
}
