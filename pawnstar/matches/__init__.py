"""The match library: games between UCI engines, for ``pawnstar match``, the scripts in ``ci`` and whoever needs games.

* ``settings``: ``TimeControl``, ``Rules`` of a game, ``MatchSettings``; frozen records.
* ``engine_spec``: ``EngineSpec``, how to start an engine; ``spec_of`` makes one from a command line.
* ``openings``: ``read_openings`` from a file, ``random_opening``.
* ``runner``: ``Match`` plays many games, several at once, and counts them in a ``Tally``; two colours an opening.
* ``games``: ``play_game``, one game between two ``players.Player``; its ``Record``.
* ``referee``: ``Referee``, games under strict eyes.
* ``pgn``: how a game is written, and the file of games.
* ``statistics``: Elo with its interval, the sequential test.
* ``uci_process``: an engine spoken to line by line, for checks that play no games.

All but ``settings``, ``engine_spec``, ``statistics`` and ``uci_process`` need python-chess. A match:

    rules = Rules(TimeControl(base=10.0, increment=0.1))
    match = Match((spec_of("this", {}), spec_of("stockfish", {})), read_openings(None), MatchSettings(rules, games=20))
    print(match.run().tally.line(None))

Engines run in processes of their own; one event loop (asyncio) speaks with all of them. Nothing here prints.
"""
