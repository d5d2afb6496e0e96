import { citizensPermissions } from "@rollcall/server/contract/citizens";
import { abilitiesOf, useActiveIdentity } from "#core/abilities.ts";

/** The address of a person's profile; null for those that the viewer may not open. */
export function useProfileAddress(): (id: number) => string | null {
  const { character, rights } = useActiveIdentity();
  const { has } = abilitiesOf(rights);
  const opensAll = has(citizensPermissions.list) && has(citizensPermissions.view);
  return (id) => (opensAll || id === character.id ? `/citizens/${id}` : null);
}
