import type { AccountActor, Viewer } from "./actor.ts";
import type { Access } from "./contract/access.ts";
import { guardErrors } from "./contract/guard.ts";
import { AppError } from "./errors.ts";

/** Who a caller is known to be. The account of a viewer is given as both. */
export interface Known {
  readonly account: AccountActor | null;
  readonly viewer: Viewer | null;
}

export type Lack = "session" | "character" | "configAdmin" | "jobAdmin" | "permission" | "link" | "sync";

/**
 * The one reading of `Access` for people: what a caller lacks, null when nothing. Secrets of links and Sync API
 * tokens are not people and are checked where they arrive, so here they are always lacking.
 */
export function lackOf(access: Access, { account, viewer }: Known): Lack | null {
  switch (access.kind) {
    case "public":
      return null;
    case "link":
    case "sync":
      return access.kind;
    case "account":
      return account ? null : "session";
    case "configAdmin":
      if (!account) return "session";
      return account.configAdmin ? null : "configAdmin";
    case "character":
    case "jobAdmin":
      if (!viewer) return account ? "character" : "session";
      return access.kind === "jobAdmin" && viewer.jobAdmin === null ? "jobAdmin" : null;
    case "permission":
      if (access.orConfigAdmin && account?.configAdmin) return null;
      if (!viewer) return account ? "character" : "session";
      return access.anyOf.some((permission) => viewer.rights.has(permission)) ? null : "permission";
  }
}

/** How the lack is said to somebody; the error of a missing permission names it. */
export function lackError(lack: Lack, access: Access, viewer: Viewer | null): AppError {
  switch (lack) {
    case "session":
      return new AppError(guardErrors.signInNeeded);
    case "character":
      return new AppError(guardErrors.characterNeeded);
    case "configAdmin":
      return new AppError(guardErrors.configAdminNeeded);
    case "jobAdmin":
      return new AppError(guardErrors.jobAdminNeeded);
    case "permission": {
      const permission = access.kind === "permission" ? access.anyOf.join(", ") : "";
      return new AppError(guardErrors.permissionMissing, { params: { permission, job: viewer?.job ?? "" } });
    }
    case "link":
      return new AppError(guardErrors.linkInvalid);
    case "sync":
      return new AppError(guardErrors.syncTokenInvalid);
  }
}
