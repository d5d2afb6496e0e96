import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { Agent, buildConnector } from "undici";
import { OutgoingFailed, type OutgoingReach } from "#core/ports/index.ts";
import { isPublicAddress, plainAddress } from "./addresses.ts";

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
  const find = callbackify(async (host: string) => {
    const found = await reach.resolve(host);
    const usable = filtered ? found.filter(({ address }) => reach.isPublic(address)) : found;
    if (usable.length === 0) throw refused(host);
    return usable;
  });
  return (host, options, callback) =>
    find(host, (error: NodeJS.ErrnoException | null, usable: readonly Resolved[]) => {
      const [first] = error ? [] : usable;
      if (first === undefined) callback(error, "", 0);
      else if (options.all === true) callback(null, [...usable]);
      else callback(null, first.address, first.family);
    });
}

/**
 * A dispatcher that connects to public addresses only: by literal, by what the name resolves to, and
 * by the address that the socket is connected to in the end. Connections are not kept, so each one is
 * checked.
 */
export function publicAgent(reach: Reach): Agent {
  const connect = buildConnector({ lookup: lookupBy(reach, true) });
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

/** A dispatcher of one request that carries its own rule for addresses, checked at the same three places. */
export function reachAgent(reach: Reach, rule: OutgoingReach): Agent {
  const isPublic = (address: string): boolean => {
    const plain = plainAddress(address);
    return plain !== null && rule.address(plain, reach.isPublic(address));
  };
  return publicAgent({ ...reach, isPublic });
}

/** A dispatcher for addresses that the configuration names: they may be private. */
export function anyAgent(reach: Reach): Agent {
  return new Agent({ pipelining: 0, connect: { lookup: lookupBy(reach, false) } });
}
