(component
  ;; The bytes are copied from one memory to the other by hand.
  (import "wasi:random/random@0.2.0" (instance $random
    (export "get-random-bytes" (func (param "len" u64) (result (list u8))))))
  (core module $libc
    (memory (export "memory") 2)
    (global $top (mut i32) (i32.const 65536))
    (func (export "realloc") (param i32 i32 i32 i32) (result i32)
      (i32.const 65536)))
  (core instance $libc (instantiate $libc))
  (core func $bytes (canon lower (func $random "get-random-bytes") (memory (core memory $libc "memory"))
    (realloc (core func $libc "realloc"))))
  (core module $module
    (import "host" "bytes" (func $bytes (param i64 i32)))
    (import "host" "memory" (memory $host 2))
    (memory $own (export "memory") 2)
    (global $top (mut i32) (i32.const 65536))
    (func $realloc (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
      (local.set $at (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
      (global.set $top (i32.add (local.get $at) (local.get 3)))
      (local.get $at))
    (data (memory $own) (i32.const 1024) "\01\00\00\00\00\08\00\00\10\00\00\00")
    (func (export "run") (param i32) (result i32)
      (local $at i32)
      (call $bytes (i64.const 16) (i32.const 2048))
      (loop $again
        (i32.store8 $own (i32.add (i32.const 2048) (local.get $at))
          (i32.add (i32.const 97)
            (i32.and (i32.load8_u $host (i32.add (i32.const 65536) (local.get $at))) (i32.const 15))))
        (br_if $again (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 1))) (i32.const 16))))
      (i32.const 1024)))
  (core instance $main (instantiate $module
    (with "host" (instance (export "bytes" (func $bytes)) (export "memory" (memory $libc "memory"))))))
  ;; frame
)
