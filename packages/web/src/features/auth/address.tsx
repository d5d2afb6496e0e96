import { useEffect } from "react";
import { Button } from "@mantine/core";
import type { UnlistedAddress } from "#core/address.ts";
import { useText } from "#core/i18n.ts";
import { setTitle } from "#core/title.ts";
import { LanguageSwitch } from "#ui/switches.tsx";
import icon from "#core/icon.svg";
import classes from "./auth.module.css";

/** Instead of every page where the server would refuse its calls. */
export default function WrongAddress({ here, listed }: UnlistedAddress) {
  const { t } = useText();
  const title = t("auth.address.title");
  useEffect(() => {
    setTitle(`${title} · Rollcall`);
  }, [title]);
  const [right = ""] = listed;
  return (
    <main className={classes["page"]}>
      <div className={classes["box"]}>
        <div className={classes["brand"]}>
          <img src={icon} alt="" />
          <div>
            <h1>{title}</h1>
            <p>Rollcall</p>
          </div>
        </div>
        <div className={classes["panel"]}>
          <p>{t("auth.address.text", { here, listed: listed.join(", ") })}</p>
          <Button component="a" href={right + location.pathname + location.search + location.hash} fullWidth mt="md">
            {t("auth.address.open", { address: right })}
          </Button>
        </div>
        <div className={classes["help"]}>
          <p>{t("auth.address.forAdmins", { here })}</p>
        </div>
        <div className={classes["foot"]}>
          <LanguageSwitch />
        </div>
      </div>
    </main>
  );
}
