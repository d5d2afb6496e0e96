import { Button } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { transport } from "#core/services.ts";
import { relativeTime } from "#core/time.ts";
import { useFormAround, useFormState } from "./formContext.ts";
import classes from "./form.module.css";

/** Says that a draft was found, and lets the person use or discard it. */
export function FormDraft() {
  const { t, language } = useText();
  const { model } = useFormAround();
  const { draft } = useFormState();
  if (!draft) return null;
  return (
    <div className={classes["draft"]} role="status">
      <span>{t(`web.form.draft.${draft.kind}`, { age: relativeTime(draft.at, transport.serverNow(), language) })}</span>
      {draft.kind !== "restored" && (
        <Button size="compact-sm" variant="default" onClick={() => model.takeDraft()}>
          {t("web.form.draft.use")}
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" color="gray" onClick={() => model.dropDraft()}>
        {t("web.form.discard")}
      </Button>
    </div>
  );
}
