import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { CitizenProfile } from "./profile.tsx";
import type { CitizensSearch } from "./citizens.search.ts";

const route = getRouteApi("/citizens");
const detailRoute = getRouteApi("/citizens/$id");

/** A chunk of its own: the list is opened first, and often alone. */
export default function CitizenDetail() {
  const { id } = detailRoute.useParams() as { id: string };
  const search = route.useSearch() as CitizensSearch;
  const navigate = useNavigate();
  return <CitizenProfile key={id} id={Number(id)} onClose={() => void navigate({ to: "/citizens", search })} />;
}
