"""Keeps the mails that SES would send, as files that mail programs open."""

import email.message
import email.policy
import email.utils
import json
import os
import time


def in_a_folder(folder):
    """Writes each mail that the emulator's SES takes to a new file, named after the instant."""

    def replacement(original):
        async def handle_request(method, path, headers, body, query_params):
            answer = await original(method, path, headers, body, query_params)
            if method == "POST" and path.rstrip("/") == "/v2/email/outbound-emails" and answer[0] == 200:
                keep(json.loads(body))
            return answer

        return handle_request

    def keep(sent):
        simple = sent["Content"]["Simple"]
        # Unfolded, up to what RFC 5322 allows: people read these, too.
        mail = email.message.EmailMessage(email.policy.default.clone(max_line_length=998))
        mail["Date"] = email.utils.formatdate(time.time())
        mail["From"] = sent["FromEmailAddress"]
        mail["To"] = ", ".join(sent["Destination"]["ToAddresses"])
        mail["Subject"] = simple["Subject"]["Data"]
        for header in simple.get("Headers", []):
            mail[header["Name"]] = header["Value"]
        mail.set_content(simple["Body"]["Text"]["Data"])
        mail.add_alternative(simple["Body"]["Html"]["Data"], subtype="html")
        os.makedirs(folder, exist_ok=True)
        name = os.path.join(folder, f"{time.time_ns()}.eml")
        with open(f"{name}.part", "wb") as file:
            file.write(mail.as_bytes())
        os.rename(f"{name}.part", name)

    return replacement
