import type { FastifyInstance } from "fastify";
import type { ListenAddress } from "#core/dsn.ts";

/** The address of an option cannot be listened on; the message is one line for the operator. */
export class ListenRefused extends Error {
  override name = "ListenRefused";
}

function written(address: ListenAddress): string {
  const host = address.host?.includes(":") ? `[${address.host}]` : (address.host ?? "");
  return `${host}:${address.port}`;
}

/** Starts listening and returns the port; names the option when the address is taken or not ours. */
export async function listen(app: FastifyInstance, address: ListenAddress, option: string): Promise<number> {
  try {
    await app.listen({ port: address.port, host: address.host ?? "::", listenTextResolver: () => "" });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "EAFNOSUPPORT" && address.host === null) return await listen(app, { ...address, host: "0.0.0.0" }, option);
    const at = written(address);
    if (code === "EADDRINUSE") {
      const variable = `ROLLCALL_${option.replaceAll(".", "_").toUpperCase()}`;
      throw new ListenRefused(
        `${option}: ${at} is in use by another program; stop it, or give this process another port (${variable}=:7071 does so beside a file that several processes share)`,
        { cause: error },
      );
    }
    if (code === "EACCES") {
      throw new ListenRefused(`${option}: ${at} needs more rights; write a port above 1023`, {
        cause: error,
      });
    }
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      throw new ListenRefused(`${option}: ${at} is no address of this machine; write one that is, or only the port`, {
        cause: error,
      });
    }
    throw error;
  }
  const bound = app.server.address();
  return bound !== null && typeof bound === "object" ? bound.port : address.port;
}
