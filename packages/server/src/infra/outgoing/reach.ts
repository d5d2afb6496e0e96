import { lookup } from "node:dns/promises";
import { isPublicAddress } from "./addresses.ts";

export interface Resolved {
  readonly address: string;
  readonly family: number;
}

/** Name resolution, and which addresses count as public; tests override it. */
export interface Reach {
  /** Every address of a host name. */
  resolve(host: string): Promise<readonly Resolved[]>;
  isPublic(address: string): boolean;
}

export const realReach: Reach = {
  resolve: async (host) => await lookup(host, { all: true }),
  isPublic: isPublicAddress,
};
