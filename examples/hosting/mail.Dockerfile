# The mail server of the demo, for this machine alone: the one that the tests play over.
ARG BASE=debian:bookworm-slim
FROM ${BASE}
RUN apt-get update --quiet=2 && DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes --no-install-recommends \
    dovecot-core dovecot-imapd dovecot-lmtpd postfix openssl python3 && rm -rf /var/lib/apt/lists/*
COPY tests/__init__.py /srv/tests/
COPY tests/mail /srv/tests/mail
COPY examples/hosting/mail.py /srv/
WORKDIR /srv
CMD ["python3", "mail.py", "/shared/mail.json"]
