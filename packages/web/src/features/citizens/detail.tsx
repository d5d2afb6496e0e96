import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { citizensPermissions } from "@rollcall/server/contract/citizens";
import { useAbilities } from "#core/abilities.ts";
import { CitizenProfile } from "./profile.tsx";
import type { CitizensSearch } from "./citizens.search.ts";

const route = getRouteApi("/citizens");
const detailRoute = getRouteApi("/citizens/$id");

/** A chunk of its own: the list is opened first, and often alone. */
export default function CitizenDetail() {
  const { id } = detailRoute.useParams() as { id: string };
  const search = route.useSearch() as CitizensSearch;
  const navigate = useNavigate();
  const mayList = useAbilities().has(citizensPermissions.list);
  const close = () => void (mayList ? navigate({ to: "/citizens", search }) : navigate({ to: "/" }));
  return <CitizenProfile key={id} id={Number(id)} onClose={close} />;
}
