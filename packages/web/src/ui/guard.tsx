import type { ReactNode } from "react";
import { useAbilities } from "#core/abilities.ts";
import { useSession } from "#core/services.ts";
import { ForbiddenPage } from "./refusals.tsx";

/** Shows a page only to characters with the right, and to config admins; the server refuses the others anyway. */
export function GuardOrConfigAdmin(props: { permission: { readonly id: string }; children: ReactNode }) {
  const state = useSession();
  return "account" in state && state.account.configAdmin ? props.children : <Guard {...props} />;
}

/** Shows a page only to characters with the right; the server refuses the others anyway. */
export function Guard({ permission, children }: { permission: { readonly id: string }; children: ReactNode }) {
  return useAbilities().has(permission) ? children : <ForbiddenPage permission={permission.id} page />;
}
