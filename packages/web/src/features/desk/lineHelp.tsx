import { useText } from "#core/i18n.ts";
import { Dialog } from "#ui/dialog.tsx";
import classes from "./desk.module.css";

/** What the command line understands. */
export default function LineHelp({ onClose }: { readonly onClose: () => void }) {
  const { t } = useText();
  const lines = [
    ["#12", t("desk.line.help.open12")],
    ["#12 +A1 +B2", t("desk.line.help.assign")],
    ["#12 +A1 en route", t("desk.line.help.assignThen")],
    ["#12 ?A1", t("desk.line.help.ask")],
    ["#12 -A1 …", t("desk.line.help.remove")],
    ["#12 A1 on scene", t("desk.line.help.progress")],
    ["#12 done …", t("desk.line.help.done")],
    ["#12 cancel …", t("desk.line.help.cancel")],
    ["#12 reopen …", t("desk.line.help.reopen")],
    ["#12 note …", t("desk.line.help.note")],
    ["A1 break", t("desk.line.help.status")],
    ["who 204", t("desk.line.help.who")],
    ["undo", t("desk.line.help.undo")],
    ["help", t("desk.line.help.help")],
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
