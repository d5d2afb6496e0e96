import { getRouteApi, Outlet, useNavigate } from "@tanstack/react-router";
import { IconUsers, IconUserSearch } from "@tabler/icons-react";
import { citizensPermissions, citizensViews } from "@rollcall/server/contract/citizens";
import { useText } from "#core/i18n.ts";
import { SavedViewsButton } from "#features/preferences/preferences.api.ts";
import { Guard } from "#ui/guard.tsx";
import { Records, useOpened } from "#ui/records.tsx";
import { Split } from "#ui/split.tsx";
import { narrowCitizen, useCitizenColumns } from "./columns.tsx";
import { CitizenFilters } from "./filters.tsx";
import { citizensSearch, type CitizensSearch } from "./citizens.search.ts";
import { useCitizens } from "./citizens.queries.ts";

const route = getRouteApi("/citizens");

export default function CitizensPage() {
  const id = useOpened();
  return (
    <Guard permission={citizensPermissions.list}>
      <Split list={<CitizenList selected={id} />} detail={id === null ? null : <Outlet />} />
    </Guard>
  );
}

function CitizenList({ selected }: { selected: number | null }) {
  const { t } = useText();
  const search = route.useSearch() as CitizensSearch;
  const { query, rows, total, totalCapped, onShown } = useCitizens(search);
  const navigate = useNavigate();
  return (
    <Records
      title={t("citizens.title")}
      path="/citizens"
      search={search}
      selected={selected}
      query={query}
      rows={rows}
      onShown={onShown}
      columns={useCitizenColumns()}
      rowVersion={(row) => row.version}
      narrow={narrowCitizen}
      empty={{ icon: IconUsers, title: t("citizens.empty.title"), text: t("citizens.empty.text") }}
      unmatched={{ icon: IconUserSearch, title: t("citizens.nothing.title"), text: t("citizens.nothing.text") }}
      count={t("citizens.count", { count: total, capped: totalCapped ? "+" : "" })}
      filters={CitizenFilters}
      beside={
        <SavedViewsButton
          definition={citizensViews}
          search={{ ...search }}
          mayOpen={selected === null}
          onChoose={(chosen, replace) =>
            void navigate({
              to: selected === null ? "/citizens" : `/citizens/${selected}`,
              search: citizensSearch(chosen),
              replace,
            })
          }
        />
      }
    />
  );
}
