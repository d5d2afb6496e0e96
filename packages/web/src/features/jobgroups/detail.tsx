import { useState } from "react";
import { Link } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconPencil, IconUsersMinus } from "@tabler/icons-react";
import { type GroupAbility, jobgroupsExport, jobgroupsPermissions, type WholeGroup } from "@rollcall/server/contract/jobgroups";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { tablet } from "#core/preferences.ts";
import { ExportButton } from "#features/exports/exports.api.ts";
import { CopyText } from "#ui/copy.tsx";
import { DetailStates } from "#ui/detailStates.tsx";
import { RecordActions } from "#ui/recordActions.tsx";
import { Facts, Section } from "#ui/small.tsx";
import { DetailPane } from "#ui/split.tsx";
import { RightHint } from "#ui/states.tsx";
import type { EditorProps } from "./editor.tsx";
import { Exclusions } from "./exclusions.tsx";
import { useGroup } from "./jobgroups.queries.ts";
import { Leaders } from "./leaders.tsx";
import { Members } from "./members.tsx";
import { ruleText } from "./texts.ts";
import { OwnReasons } from "./why.tsx";
import classes from "./jobgroups.module.css";

const Editor = part<EditorProps>(["jobgroups"], () => import("./editor.tsx"));
const WIDTHS = ["60%", "80%", "45%", "70%"];

/** A group beside the list. */
export function GroupView({ id, onClose }: { readonly id: number; onClose(): void }) {
  const { t } = useText();
  const query = useGroup(id);
  const group = query.data;
  const missing = { icon: IconUsersMinus, title: t("jobgroups.missing.title"), text: t("jobgroups.missing.text") };
  return (
    <DetailPane
      title={group?.name ?? `GRP-${id}`}
      label={group?.name ?? `GRP-${id}`}
      onClose={onClose}
      actions={group && <RecordActions path={`/groups/${id}`} />}
      under={<CopyText text={`GRP-${id}`} label={t("jobgroups.id")} />}
    >
      <DetailStates query={query} widths={WIDTHS} missing={missing} />
      {group && <Content group={group} />}
    </DetailPane>
  );
}

function Content({ group }: { readonly group: WholeGroup }) {
  const { t } = useText();
  const may = (ability: GroupAbility) => group.may.includes(ability);
  return (
    <>
      <Actions group={group} />
      <About group={group} />
      <Leaders group={group} />
      {may("see") ? (
        <Members group={group} />
      ) : (
        <Section title={t("jobgroups.members.title")}>
          <RightHint permission={jobgroupsPermissions.list.id} />
        </Section>
      )}
      {group.own && !may("explain") && (
        <Section title={t("jobgroups.why.own")}>
          <OwnReasons group={group.id} />
        </Section>
      )}
      {may("explain") && <Exclusions group={group} />}
    </>
  );
}

function Actions({ group }: { readonly group: WholeGroup }) {
  const { t } = useText();
  const abilities = useAbilities();
  const [edits, setEdits] = useState(false);
  const exports = abilities.has(jobgroupsPermissions.list) && abilities.has(jobgroupsPermissions.members) && !tablet;
  if (!group.may.includes("manage") && !exports) return null;
  return (
    <div className={`${classes["actions"]} ${classes["pane"]}`} data-screen-only>
      {group.may.includes("manage") && (
        <Button variant="default" leftSection={<IconPencil size={15} />} aria-haspopup="dialog" onClick={() => setEdits(true)}>
          {t("jobgroups.edit")}
        </Button>
      )}
      {exports && <ExportButton kind={jobgroupsExport} filter={{ group: group.id }} />}
      {edits && <Editor group={group.id} onClose={() => setEdits(false)} />}
    </div>
  );
}

function About({ group }: { readonly group: WholeGroup }) {
  const { t } = useText();
  const { description, membership, rules, contains, within } = group;
  return (
    <Section title={t("jobgroups.about")}>
      {description !== "" && <p className={classes["text"]}>{description}</p>}
      <Facts
        facts={[
          { label: t("jobgroups.form.membership"), value: t(`jobgroups.memberships.${membership}`) },
          ...(rules === undefined || membership === "hand"
            ? []
            : [
                {
                  label: t("jobgroups.form.rules"),
                  value: rules.map((rule) => ruleText(t, rule)).join(", ") || t("jobgroups.none"),
                },
              ]),
          ...(contains.length === 0 ? [] : [{ label: t("jobgroups.form.contains"), value: <Names groups={contains} /> }]),
          ...(within.length === 0 ? [] : [{ label: t("jobgroups.within"), value: <Names groups={within} /> }]),
        ]}
      />
    </Section>
  );
}

function Names({ groups }: { readonly groups: WholeGroup["contains"] }) {
  return (
    <span className={classes["line"]}>
      {groups.map(({ id, name }) => (
        <Link key={id} to="/groups/$id" params={{ id: String(id) }}>
          {name}
        </Link>
      ))}
    </span>
  );
}
