"""The settings of the mail servers that the tests start: everything in one folder, everything on loopback."""

from __future__ import annotations

import base64
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.mail.servers import MailServers

DOMAIN = "mail.test"
TOKEN_SECRET = b"a secret that only the tests and Dovecot know"

_MASTER = """\
127.0.0.1:{servers.submission} inet n - n - - smtpd
127.0.0.1:{servers.submissions} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
127.0.0.1:{servers.arrival} inet n - n - - smtpd {open_door}
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


def write_certificate(folder: Path) -> None:
    """A certificate that is good for ``localhost``, made on the spot, and its key."""
    key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem"
    name = "-subj /CN=localhost -addext subjectAltName=DNS:localhost -days 2 -out cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", *key.split(), *name.split()], cwd=folder, capture_output=True, check=True
    )


def write_dovecot_files(servers: MailServers) -> None:
    """Dovecot's settings, and the secret with which it checks tokens."""
    folder = servers.folder
    keys = folder / "keys" / "default" / "HS256"
    keys.mkdir(parents=True)
    (keys / "default").write_text(base64.b64encode(TOKEN_SECRET).decode())
    (folder / "oauth2.conf").write_text(
        f"introspection_mode = local\nlocal_validation_key_dict = fs:posix:prefix={folder}/keys/\n"
        "username_attribute = sub\n"
    )
    (folder / "dovecot.conf").write_text(
        f"""\
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/dovecot.log
listen = 127.0.0.1
login_greeting = {servers.mark} is ready
protocols = imap lmtp
ssl = required
ssl_cert = <{folder}/cert.pem
ssl_key = <{folder}/key.pem
auth_mechanisms = plain login xoauth2 oauthbearer
mail_location = maildir:~/Maildir
mail_fsync = never
auth_failure_delay = 0
first_valid_uid = 1
first_valid_gid = 1
postmaster_address = postmaster@{DOMAIN}
mail_max_userip_connections = 100
passdb {{
  driver = passwd-file
  args = {folder}/users
  mechanisms = plain login
}}
passdb {{
  driver = oauth2
  args = {folder}/oauth2.conf
  mechanisms = xoauth2 oauthbearer
}}
userdb {{
  driver = passwd-file
  args = {folder}/users
}}
service imap-login {{
  inet_listener imap {{
    port = {servers.imap}
  }}
  inet_listener imaps {{
    port = {servers.imaps}
    ssl = yes
  }}
}}
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    port = {servers.lmtp}
  }}
}}
service auth {{
  inet_listener {{
    port = {servers.auth}
  }}
}}
"""
    )


def write_postfix_files(servers: MailServers, config: Path) -> None:
    """Postfix's settings and its list of processes."""
    folder = servers.folder
    config.mkdir()
    for name in ("spool", "data"):
        (folder / name).mkdir()
    shutil.chown(folder / "data", "postfix", "postfix")
    from_outside = "check_recipient_access static:{PREPEND Authentication-Results: mail.test; spf=none}"
    settings = {
        "compatibility_level": "3.6",
        "queue_directory": f"{folder}/spool",
        "data_directory": f"{folder}/data",
        "maillog_file": f"{folder}/postfix.log",
        "maillog_file_prefixes": str(folder),
        # nothing leaves this machine: no name is looked up, and there is no way to anywhere else
        "inet_interfaces": "127.0.0.1",
        "inet_protocols": "ipv4",
        "default_transport": "error:this server sends nothing to other machines",
        "relay_transport": "error:this server sends nothing to other machines",
        "relayhost": "",
        "disable_dns_lookups": "yes",
        "smtpd_peername_lookup": "no",
        "mynetworks": "",
        "myhostname": f"mx.{DOMAIN}",
        "smtpd_banner": f"mx.{DOMAIN} ESMTP {servers.mark}",
        "mydestination": "",
        "local_transport": "error:nobody lives here",
        "alias_maps": "",
        "virtual_mailbox_domains": DOMAIN,
        "virtual_mailbox_maps": f"hash:{folder}/mailboxes",
        "virtual_transport": f"lmtp:inet:127.0.0.1:{servers.lmtp}",
        "smtpd_tls_cert_file": f"{folder}/cert.pem",
        "smtpd_tls_key_file": f"{folder}/key.pem",
        "smtpd_tls_security_level": "encrypt",
        "smtpd_tls_auth_only": "yes",
        "smtpd_sasl_auth_enable": "yes",
        "smtpd_sasl_type": "dovecot",
        "smtpd_sasl_path": f"inet:127.0.0.1:{servers.auth}",
        "smtpd_recipient_restrictions": f"check_recipient_access hash:{folder}/refused, "
        "permit_sasl_authenticated, reject",
        "smtpd_relay_restrictions": "permit_sasl_authenticated, reject_unauth_destination",
        "smtpd_delay_reject": "no",
        "smtpd_error_sleep_time": "0",
        "smtpd_client_connection_count_limit": "0",
        "in_flow_delay": "0",
        "message_size_limit": "60000000",
        "virtual_mailbox_limit": "0",
        "minimal_backoff_time": "2s",
        "maximal_backoff_time": "5s",
        "queue_run_delay": "2s",
    }
    (config / "main.cf").write_text("".join(f"{name} = {value}\n" for name, value in settings.items()))
    open_door = (
        "-o smtpd_tls_security_level=may -o smtpd_sasl_auth_enable=no "
        f"-o {{ smtpd_recipient_restrictions={from_outside}, reject_unauth_destination }}"
    )
    (config / "master.cf").write_text(_MASTER.format(servers=servers, open_door=open_door))
