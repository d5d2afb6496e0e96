import { getRouteApi, Link, Outlet, useNavigate } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconCategory, IconClipboardPlus, IconClipboardCheck } from "@tabler/icons-react";
import { conductExport, conductPermissions } from "@rollcall/server/contract/conduct";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { tablet } from "#core/preferences.ts";
import { ExportButton } from "#features/exports/exports.api.ts";
import { PanelPage } from "#ui/panel.tsx";
import { useOpened } from "#ui/records.tsx";
import { Split } from "#ui/split.tsx";
import { useSeesRegister } from "./conduct.queries.ts";
import { type ConductSearch, filterOf } from "./conduct.search.ts";
import { EntryView } from "./detail.tsx";
import type { EditorProps } from "./editor.tsx";
import { EntryList } from "./entryList.tsx";
import { Filters } from "./filters.tsx";
import { OwnEntries } from "./own.tsx";
import classes from "./conduct.module.css";

const Editor = part<EditorProps>(["conduct"], () => import("./editor.tsx"));
const route = getRouteApi("/conduct");
const detailRoute = getRouteApi("/conduct/$id");

/** The register of the own job; who sees nothing of it sees the own entries. */
export default function ConductPage() {
  const { t } = useText();
  const id = useOpened();
  const navigate = useNavigate();
  const search: ConductSearch = route.useSearch();
  const { new: asked, person, ...rest } = search;
  const sees = useSeesRegister();
  const mayWrite = useAbilities().has(conductPermissions.write);
  const filters = { ...rest, ...(person === undefined ? {} : { person }) };
  const list = sees ? (
    <Register search={search} selected={id} />
  ) : (
    <PanelPage title={t("conduct.title")} lead={t("conduct.mine.lead")}>
      <OwnEntries />
    </PanelPage>
  );
  return (
    <>
      <Split list={list} detail={id === null ? null : <Outlet />} />
      {asked === "1" && mayWrite && (
        <Editor
          entry={null}
          citizenId={person === undefined ? null : Number(person)}
          onClose={() => void navigate({ to: "/conduct", search: filters, replace: true })}
          onSaved={(saved) => void navigate({ to: "/conduct/$id", params: { id: String(saved) }, search: filters })}
        />
      )}
    </>
  );
}

export function ConductDetail() {
  const { id }: { id: string } = detailRoute.useParams();
  const search: ConductSearch = route.useSearch();
  const navigate = useNavigate();
  return <EntryView key={id} id={Number(id)} onClose={() => void navigate({ to: "/conduct", search })} />;
}

function Register({ search, selected }: { readonly search: ConductSearch; readonly selected: number | null }) {
  const { t } = useText();
  const navigate = useNavigate();
  const abilities = useAbilities();
  const go = (next: ConductSearch) => void navigate({ to: "/conduct", search: next, replace: true });
  const isFiltered = Object.keys(filterOf(search)).length > 0;
  return (
    <PanelPage
      title={t("conduct.title")}
      lead={t("conduct.titleHint")}
      actions={
        <div className={classes["actions"]}>
          {abilities.has(conductPermissions.export) && !tablet && <ExportButton kind={conductExport} filter={filterOf(search)} />}
          {abilities.has(conductPermissions.kinds) && (
            <Button
              variant="default"
              leftSection={<IconCategory size={16} aria-hidden />}
              renderRoot={(props) => <Link to="/conduct/kinds" {...props} />}
            >
              {t("conduct.kinds.open")}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconClipboardCheck size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/conduct/mine" {...props} />}
          >
            {t("conduct.commands.mine")}
          </Button>
          {abilities.has(conductPermissions.write) && (
            <Button
              leftSection={<IconClipboardPlus size={16} aria-hidden />}
              aria-haspopup="dialog"
              onClick={() => go({ ...search, new: "1" })}
            >
              {t("conduct.edit.open")}
            </Button>
          )}
        </div>
      }
    >
      <Filters search={search} onChange={go} />
      <EntryList search={search} selected={selected} nothing={t(isFiltered ? "conduct.noMatch" : "conduct.empty")} />
    </PanelPage>
  );
}
