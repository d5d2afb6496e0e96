import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { Agent, buildConnector, type Dispatcher, request } from "undici";
import { OutgoingFailed, type OutgoingReach } from "#core/ports/index.ts";
import { plainAddress } from "./addresses.ts";
import type { Reach, Resolved } from "./reach.ts";

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
 * A dispatcher that connects to public addresses only. It checks literals, resolved addresses, and the
 * address of the connected socket. Connections are not reused, so each one is checked.
 */
function publicAgent(reach: Reach): Agent {
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

/** A dispatcher for one request with its own rule for addresses, which is checked at the same three points. */
function reachAgent(reach: Reach, rule: OutgoingReach): Agent {
  const isPublic = (address: string): boolean => {
    const plain = plainAddress(address);
    return plain !== null && rule.address(plain, reach.isPublic(address));
  };
  return publicAgent({ ...reach, isPublic });
}

/** A dispatcher for configured addresses, which may be private. */
function anyAgent(reach: Reach): Agent {
  return new Agent({ pipelining: 0, connect: { lookup: lookupBy(reach, false) } });
}

export interface Connections {
  /** For configured addresses. */
  readonly any: Dispatcher;
  /** For addresses from users or other servers. */
  readonly public: Dispatcher;
  /** For one request with a rule of its own; the caller destroys it. */
  by(rule: OutgoingReach): Dispatcher;
  readonly send: typeof request;
}

export function openConnections(reach: Reach): Connections {
  return { any: anyAgent(reach), public: publicAgent(reach), by: (rule) => reachAgent(reach, rule), send: request };
}
