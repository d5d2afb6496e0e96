import { useState } from "react";
import { Link } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconPencil, IconTag, IconUser, IconUserOff } from "@tabler/icons-react";
import { colleaguesPermissions } from "@rollcall/server/contract/colleagues";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { useProfileAddress } from "#features/citizens/citizens.api.ts";
import { offerUndo } from "#ui/confirm.tsx";
import { CopyText } from "#ui/copy.tsx";
import { DetailStates } from "#ui/detailStates.tsx";
import { PersonMarks } from "#ui/personMarks.tsx";
import { RecordActions } from "#ui/recordActions.tsx";
import { ForbiddenPage } from "#ui/refusals.tsx";
import { Facts, JobTag, Section, TimeAgo } from "#ui/small.tsx";
import { DetailPane } from "#ui/split.tsx";
import { RightHint } from "#ui/states.tsx";
import { Activities } from "./activities.tsx";
import { sendChanges } from "./changes.ts";
import { type Colleague, useColleague } from "./colleagues.queries.ts";
import { dutyText } from "./columns.tsx";
import type { EditorProps } from "./editor.tsx";
import { LabelTags } from "./labelTag.tsx";
import type { LabelsDialogProps } from "./labelsDialog.tsx";
import { Moves } from "./moves.tsx";
import { requireSome } from "./parts.ts";
import { ColleagueTabs } from "./tabs.tsx";
import { editsNote, fullName, mayChange } from "./names.ts";
import classes from "./colleagues.module.css";

const Editor = part<EditorProps>(["colleagues"], () => import("./editor.tsx"));
const Labels = part<LabelsDialogProps>(["colleagues"], () => import("./labelsDialog.tsx"));
const WIDTHS = ["60%", "80%", "45%", "70%"];

/** A colleague beside the list. */
export function ColleagueView({ id, onClose }: { readonly id: number; onClose(): void }) {
  const { t } = useText();
  const mayView = useAbilities().has(colleaguesPermissions.view);
  const query = useColleague(id);
  const colleague = query.data;
  const title = colleague ? fullName(colleague) : `CIT-${id}`;
  const missing = { icon: IconUserOff, title: t("colleagues.missing.title"), text: t("colleagues.missing.text") };
  return (
    <DetailPane
      title={title}
      label={title}
      onClose={onClose}
      actions={colleague && <RecordActions path={`/jobs/colleagues/${id}`} />}
      under={
        <>
          <CopyText text={`CIT-${id}`} label={t("colleagues.columns.id")} />
          {colleague && <PersonMarks citizenId={id} job={colleague.job.name} whole />}
        </>
      }
    >
      {!mayView && <ForbiddenPage permission={colleaguesPermissions.view.id} />}
      {mayView && <DetailStates query={query} widths={WIDTHS} missing={missing} />}
      {colleague && <Content colleague={colleague} />}
    </DetailPane>
  );
}

function Content({ colleague }: { readonly colleague: Colleague }) {
  const { t } = useText();
  const seesActivity = useAbilities().has(colleaguesPermissions.activity);
  return (
    <>
      <Actions colleague={colleague} />
      <ColleagueTabs key={colleague.id} citizenId={colleague.id} name={fullName(colleague)}>
        <div className={classes["columns"]}>
          <div>
            <About colleague={colleague} />
            <Moves colleague={colleague} />
          </div>
          {seesActivity && (
            <div>
              <Section title={t("colleagues.activity.section")}>
                <Activities citizenId={colleague.id} />
              </Section>
            </div>
          )}
        </div>
      </ColleagueTabs>
    </>
  );
}

function About({ colleague }: { readonly colleague: Colleague }) {
  const { t } = useText();
  const { job, since, labels, note, hidden } = colleague;
  const sinceText = since === null ? t("colleagues.sinceUnknown") : <TimeAgo instant={since} />;
  return (
    <>
      <Section title={t("colleagues.about")}>
        <Facts
          facts={[
            { label: t("colleagues.columns.grade"), value: <JobTag job={job} /> },
            { label: t("colleagues.columns.duty"), value: dutyText(t, colleague) },
            { label: t("colleagues.columns.since"), value: sinceText },
          ]}
        />
      </Section>
      {labels !== undefined && (
        <Section title={t("colleagues.columns.labels")}>
          {labels.length === 0 ? (
            <p className={classes["quiet"]}>{t("colleagues.noLabels")}</p>
          ) : (
            <LabelTags labels={labels} withEnd />
          )}
        </Section>
      )}
      {note !== undefined && (
        <Section title={t("colleagues.columns.note")}>
          <p className={note === null ? classes["quiet"] : classes["note"]}>{note ?? t("colleagues.noNote")}</p>
        </Section>
      )}
      {hidden.length > 0 && (
        <RightHint
          permission={colleaguesPermissions.view.id}
          text={t("colleagues.hidden", { fields: hidden.map((one) => t(`colleagues.fields.${one}`)).join(", ") })}
        />
      )}
    </>
  );
}

function Actions({ colleague }: { readonly colleague: Colleague }) {
  const { t } = useText();
  const addressOf = useProfileAddress();
  const [doing, setDoing] = useState<"edit" | "labels" | null>(null);
  const close = () => setDoing(null);
  const edits = editsNote(colleague) || mayChange(colleague, "name");
  const labels = mayChange(colleague, "labels");
  const address = addressOf(colleague.id);
  return (
    <div className={`${classes["actions"]} ${classes["pane"]}`} data-screen-only>
      {edits && (
        <Button variant="default" leftSection={<IconPencil size={15} />} aria-haspopup="dialog" onClick={() => setDoing("edit")}>
          {t("colleagues.edit.open")}
        </Button>
      )}
      {labels && (
        <Button variant="default" leftSection={<IconTag size={15} />} aria-haspopup="dialog" onClick={() => setDoing("labels")}>
          {t("colleagues.give.open")}
        </Button>
      )}
      {address !== null && (
        <Button variant="default" leftSection={<IconUser size={15} />} renderRoot={(props) => <Link to={address} {...props} />}>
          {t("colleagues.profile")}
        </Button>
      )}
      {doing === "edit" && <Editor key={colleague.id} colleague={colleague} onClose={close} />}
      {doing === "labels" && (
        <Labels
          people={[colleague]}
          onClose={close}
          onDone={({ undo }) => {
            close();
            if (undo.length === 0) return;
            const title = t("colleagues.give.done", { count: 1 });
            const back = async () => requireSome(await sendChanges(undo, t("colleagues.give.undone")), undo);
            offerUndo(t, { title, undo: back });
          }}
        />
      )}
    </div>
  );
}
