"""Plays a game by mail: what comes in, what goes out, and the week between.

The way of a letter, from the mailbox to the answer:

1. ``exchange`` opens the mailbox, ``reading`` takes a message from its ``source`` and reads its bytes once.
2. ``letter`` makes a ``Letter`` of them: ``parse`` finds the parts, ``attachments`` decodes each and looks
   for orders.
3. ``reading`` finds the games that it is for; ``fetching`` leaves out what the journal knows.
4. ``classify`` tells what sort of letter it is: orders, a request, press, a preference, a bounce, or none of
   these.
5. The handler of that sort says what comes of it, an ``outcome``: changes, answers, the entry in the journal,
   and where the message belongs.
6. The changes are made, the answers are put into the ``outbox``, the entry is written, and the message is
   moved.
"""
