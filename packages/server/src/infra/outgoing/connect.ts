import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector } from "undici";
import { OutgoingFailed } from "#core/ports/index.ts";
import { isPublicAddress } from "./addresses.ts";

export interface Resolved {
  readonly address: string;
  readonly family: number;
}

/** How names become addresses and which of them may be reached; tests put their own in place. */
export interface Reach {
  /** Every address of a host name. */
  resolve(host: string): Promise<readonly Resolved[]>;
  isPublic(address: string): boolean;
}

export const realReach: Reach = {
  resolve: async (host) => await lookup(host, { all: true }),
  isPublic: isPublicAddress,
};

function refused(host: string): OutgoingFailed {
  return new OutgoingFailed("refusedAddress", `${host} is not an address of the public internet`);
}

function lookupBy(reach: Reach, filtered: boolean): LookupFunction {
  return (host, options, callback) => {
    reach
      .resolve(host)
      .then((found) => {
        const usable = filtered ? found.filter(({ address }) => reach.isPublic(address)) : found;
        const [first] = usable;
        if (first === undefined) throw refused(host);
        if (options.all === true) callback(null, [...usable]);
        else callback(null, first.address, first.family);
      })
      .catch((error: unknown) => callback(error as NodeJS.ErrnoException, "", 0));
  };
}

/**
 * A dispatcher that connects to public addresses only: by literal, by what the name resolves to, and
 * by the address that the socket is connected to in the end. Connections are not kept, so each one is
 * checked.
 */
export function publicAgent(reach: Reach): Agent {
  const connect = buildConnector({ lookup: lookupBy(reach, true) } as buildConnector.BuildOptions);
  return new Agent({
    pipelining: 0,
    connect(options, callback) {
      const host = options.hostname.replace(/^\[|\]$/g, "");
      if (isIP(host) !== 0 && !reach.isPublic(host)) {
        callback(refused(host), null);
        return;
      }
      connect(options, (...[error, socket]) => {
        if (error) {
          callback(error, null);
        } else if (reach.isPublic(socket.remoteAddress ?? "")) {
          callback(null, socket);
        } else {
          socket.destroy();
          callback(refused(host), null);
        }
      });
    },
  });
}

/** A dispatcher for addresses that the configuration names: they may be private. */
export function anyAgent(reach: Reach): Agent {
  const connect = { lookup: lookupBy(reach, false) } as buildConnector.BuildOptions;
  return new Agent({ pipelining: 0, connect });
}
