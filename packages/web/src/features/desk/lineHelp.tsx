import { panicOutcomes } from "@rollcall/server/contract/panic";
import { useText } from "#core/i18n.ts";
import { Dialog } from "#ui/dialog.tsx";
import classes from "./line.module.css";

/** What the command line understands. */
export default function LineHelp({ onClose }: { readonly onClose: () => void }) {
  const { t } = useText();
  const [enRoute, onScene] = [t("desk.progress.enRoute"), t("desk.progress.onScene")];
  const pause = t("desk.bases.break");
  const outcomes = panicOutcomes.map((outcome) => t(`desk.outcomes.${outcome}`)).join(" / ");
  const lines = [
    ["#12", t("desk.line.help.open12")],
    ["#12 +A1 +B2", t("desk.line.help.assign")],
    [`#12 +A1 ${enRoute}`, t("desk.line.help.assignThen")],
    ["#12 ?A1", t("desk.line.help.ask")],
    ["#12 -A1 …", t("desk.line.help.remove")],
    [`#12 A1 ${onScene}`, t("desk.line.help.progress")],
    [`#12 ${t("desk.line.words.done")} …`, t("desk.line.help.done")],
    [`#12 ${t("desk.line.words.cancel")} …`, t("desk.line.help.cancel")],
    [`#12 ${t("desk.line.words.reopen")} …`, t("desk.line.help.reopen")],
    [`#12 ${t("desk.line.words.note")} …`, t("desk.line.help.note")],
    [`#12 ${t("desk.line.words.panic")} ${outcomes}`, t("desk.line.help.panic")],
    [`${t("desk.line.words.panic")} ${t("desk.line.words.off")} ${outcomes}`, t("desk.line.help.panicOff")],
    [`A1 ${pause}`, t("desk.line.help.status")],
    [`${t("desk.line.words.who")} 204`, t("desk.line.help.who")],
    [t("desk.line.words.undo"), t("desk.line.help.undo")],
    [t("desk.line.words.help"), t("desk.line.help.help")],
  ] as const;
  return (
    <Dialog title={t("desk.line.help.title")} size="lg" onClose={onClose}>
      <p className={classes["quiet"]}>{t("desk.line.help.lead")}</p>
      <dl className={classes["grammar"]}>
        {lines.map(([line, does]) => (
          <div key={line}>
            <dt>
              <code>{line}</code>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
