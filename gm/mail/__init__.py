"""Plays a game by mail: letters that come in, letters that go out, and the week between.

The way of a letter, from the mailbox to the answer:

1. ``exchange`` opens the mailbox, ``reading`` takes a message from its ``source`` and reads its bytes once.
2. ``letter`` makes a ``Letter`` of them: ``parse`` finds the parts, ``attachments`` decodes each and looks
   for orders.
3. ``routing`` finds the games that it is for; ``fetching`` leaves out letters that are in the journal.
4. ``classify`` (in ``fetching``) returns the sort of the letter: orders, a request, press, a preference, a
   bounce, or none of these.
5. The handler of that sort returns what comes of it, an ``Outcome``: changes, answers, the entry in the
   journal, and the folder of the message.
6. The changes are made, the answers are put into the ``outbox``, the entry is written, and the message is
   moved.
"""
