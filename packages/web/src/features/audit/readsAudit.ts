import { auditPermissions } from "@rollcall/server/contract/audit";
import { useActiveIdentity } from "#core/abilities.ts";
import { isOffered } from "#core/pages.ts";

export function useReadsAudit(): boolean {
  return isOffered({ needs: auditPermissions.view.id, admins: "config" }, useActiveIdentity());
}
