import type { ReactNode } from "react";
import { useAbilities } from "#core/abilities.ts";
import { ForbiddenPage } from "./refusals.tsx";

/** Shows a page only to characters with the right; the server refuses the others anyway. */
export function Guard({ permission, children }: { permission: { readonly id: string }; children: ReactNode }) {
  return useAbilities().has(permission) ? children : <ForbiddenPage permission={permission.id} page />;
}
