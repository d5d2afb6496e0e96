import { Select } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type ActivityKind, activityKinds, colleaguesPermissions } from "@rollcall/server/contract/colleagues";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { Guard } from "#ui/guard.tsx";
import { PanelPage } from "#ui/panel.tsx";
import { Activities } from "./activities.tsx";
import type { ActivitySearch } from "./colleagues.search.ts";

const route = getRouteApi("/jobs/activity");

/** What happened to the people of the own job. */
export default function ActivityPage() {
  return (
    <Guard permission={colleaguesPermissions.activity}>
      <Content />
    </Guard>
  );
}

function Content() {
  const { t } = useText();
  const navigate = useNavigate();
  const { kind }: ActivitySearch = route.useSearch();
  const seen = useActiveIdentity().rights[colleaguesPermissions.activity.id]?.["kinds"];
  const kinds = activityKinds.filter((one) => Array.isArray(seen) && (seen as readonly string[]).includes(one));
  const choose = (next: string | null) =>
    void navigate({ to: "/jobs/activity", search: next === null ? {} : { kind: next }, replace: true });
  return (
    <PanelPage
      title={t("colleagues.commands.activity")}
      lead={t("colleagues.activity.lead")}
      actions={
        <Select
          aria-label={t("colleagues.activity.kind")}
          placeholder={t("colleagues.activity.anyKind")}
          data={kinds.map((value) => ({ value, label: t(`colleagues.fields.${value}`) }))}
          value={kind ?? null}
          onChange={choose}
          clearable
          clearButtonProps={{ "aria-label": t("web.filter.clearText") }}
        />
      }
    >
      <Activities {...(kind === undefined ? {} : { kind: kind as ActivityKind })} />
    </PanelPage>
  );
}
